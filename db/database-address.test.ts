import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import type { ConnectionOptions, PeerCertificate } from "node:tls";
import { ConfigError } from "#config";
import { readDatabaseAddress } from "./database-address.ts";

const BASE = "postgres://site:pass%40word@db.example.org:5433/spawnpoint";
const tlsOf = (url: string) => readDatabaseAddress(url).ssl as ConnectionOptions;
const certificateFor = (name: string) =>
  ({ subject: { CN: name }, subjectaltname: `DNS:${name}, IP Address:192.0.2.7` }) as unknown as PeerCertificate;

describe("the address of the database", () => {
  for (const [what, query, expected] of [
    ["a mode that does not exist", "sslmode=verify", /sslmode must be one of disable, .*verify-full; it is "verify"$/],
    ["a root certificate that is not there", "sslrootcert=/nowhere/ca.pem", /sslrootcert cannot be read: ENOENT/],
    ["a client's certificate without its key", "sslmode=require&sslcert=/a.pem", /both sslcert and sslkey/],
    [
      "a client's certificate that is not there",
      "sslmode=require&sslcert=/a.pem&sslkey=/b.pem",
      /sslcert cannot be read/,
    ],
  ] as const) {
    test(`${what} is refused in words, without the password`, () => {
      assert.throws(
        () => readDatabaseAddress(`${BASE}?${query}`),
        (error) => error instanceof ConfigError && expected.test(error.message) && !error.message.includes("pass"),
      );
    });
  }

  test("several hosts are refused, and it is said where one address before them is described", () => {
    assert.throws(() => readDatabaseAddress("postgres://u:p@one,two/db"), /one host; docs\/many-machines\.md/);
  });

  test("nothing that is ours to read is left for the server, and all else stays", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "address-"));
    const file = path.join(folder, "ca.pem");
    writeFileSync(file, "-----");
    const { ssl, ...address } = readDatabaseAddress(
      `${BASE}?sslmode=verify-full&sslrootcert=${file}&search_path=site%20one`,
    );
    assert.deepEqual(address, {
      host: "db.example.org",
      port: 5433,
      user: "site",
      password: "pass@word",
      database: "spawnpoint",
      options: "-c search_path=site\\ one",
    });
    assert.deepEqual(tlsOf(`${BASE}?sslrootcert=${file}`).ca, Buffer.from("-----"));
    rmSync(folder, { recursive: true });
  });

  test("each mode checks as much as libpq's", () => {
    assert.equal(tlsOf(BASE), undefined);
    assert.equal(tlsOf(`${BASE}?sslmode=disable`), undefined);
    assert.equal(tlsOf(`${BASE}?sslmode=allow`), undefined);
    for (const mode of ["prefer", "require"])
      assert.deepEqual(tlsOf(`${BASE}?sslmode=${mode}`), { rejectUnauthorized: false }, mode);
    for (const query of ["sslmode=verify-ca", "sslmode=require&sslrootcert=system"]) {
      const tls = tlsOf(`${BASE}?${query}`);
      assert.equal(tls.rejectUnauthorized, true, query);
      assert.equal(tls.checkServerIdentity?.("", certificateFor("other.example.org")), undefined, query);
    }
    for (const query of ["sslmode=verify-full", "sslrootcert=system"]) {
      const tls = tlsOf(`${BASE}?${query}`);
      assert.equal(tls.rejectUnauthorized, true, query);
      assert.match(String(tls.checkServerIdentity?.("", certificateFor("other.example.org"))), /altnames/, query);
      assert.equal(tls.checkServerIdentity?.("", certificateFor("db.example.org")), undefined, query);
    }
    const byNumber = tlsOf("postgres://u@192.0.2.7/db?sslmode=verify-full");
    assert.equal(byNumber.checkServerIdentity?.("localhost", certificateFor("x")), undefined);
    assert.match(
      String(
        tlsOf("postgres://u@192.0.2.8/db?sslmode=verify-full").checkServerIdentity?.("localhost", certificateFor("x")),
      ),
      /altnames|IP/,
    );
  });

  test("a socket folder needs no TLS", () => {
    const { host, ssl } = readDatabaseAddress("postgres://u@localhost/db?host=/run/pg&sslmode=require");
    assert.deepEqual([host, ssl], ["/run/pg", undefined]);
  });
});
