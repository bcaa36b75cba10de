/** What a hostile game server sends: one packet of A2S that says it is compressed, and unpacks to 360 MB of nothing. */
const head = Buffer.from("\xfe\xff\xff\xff\x01\0\0\x80\x01\0\xe0\x04\0\0\0\0\0\0\0\0", "latin1");

/** 294 bytes; made by `bz2.compress(b"\0" * 360_000_000, 9)` in Python behind the head of a split reply with one part. */
export const unpackingReply = Buffer.concat([
  head,
  Buffer.from(
    "QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZ+ydAGwEodMAIwABAAAAIIAAwzAUppolQSNhJUEjxdyRThQkAh3tnQA==",
    "base64",
  ),
]);
