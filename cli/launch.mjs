/**
 * Entry of every npm script: accepts a Node that can install the packages, else explains what to do. Node 12, which Ubuntu 22.04
 * has, must be able to parse this file: no newer syntax here.
 */

// Below these versions, also in package.json, npm silently omits the compilers for this platform.
const [major, minor] = process.versions.node.split(".").map(Number);
const canInstall = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;

if (canInstall) {
  import("./hand-over.mjs");
} else {
  console.error(
    `This is Node ${process.versions.node}, and installing takes Node 20.19, 22.12 or newer (Debian 12 and Ubuntu 24.04 have 18). ` +
      "With npm there, as root: `npm install --global node@22 npm@10`; then open a new shell and start again. Other ways: https://nodejs.org/en/download",
  );
  process.exit(1);
}
