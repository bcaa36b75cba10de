/** An authority of our own, and certificates by it, made with openssl as an operator would. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";

export type Authority = {
  /** The file that others trust. */
  file: string;
  /** Makes `name`.pem and `name`.key for these names and addresses (`DNS:…`, `IP:…`), and tells where they are. */
  certify(name: string, subjects: string[]): { certificate: string; key: string };
};

export function makeAuthority(folder: string): Authority {
  const file = path.join(folder, "ca.pem");
  const key = path.join(folder, "ca.key");
  openssl(...NEW_KEY, "-x509", "-days", "2", "-subj", "/CN=Test authority", "-keyout", key, "-out", file);
  return {
    file,
    certify(name, subjects) {
      const made = { certificate: path.join(folder, `${name}.pem`), key: path.join(folder, `${name}.key`) };
      const request = path.join(folder, `${name}.csr`);
      const extensions = path.join(folder, `${name}.ext`);
      writeFileSync(extensions, `subjectAltName=${subjects.join(",")}\nbasicConstraints=CA:FALSE\n`);
      openssl(...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", made.key, "-out", request);
      const by = ["-CA", file, "-CAkey", key, "-CAcreateserial"];
      openssl("x509", "-req", "-in", request, ...by, "-days", "2", "-extfile", extensions, "-out", made.certificate);
      return made;
    },
  };
}

const NEW_KEY = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function openssl(...args: string[]): void {
  const { status, stderr, error } = spawnSync("openssl", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${error?.message ?? stderr}`);
}
