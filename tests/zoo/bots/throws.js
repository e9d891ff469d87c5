// An animal that fails as programs in JavaScript fail.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (line.startsWith("game")) console.log("ready");
  if (line.startsWith("go")) undefined.move();
});
