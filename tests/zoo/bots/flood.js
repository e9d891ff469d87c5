// An animal that talks until it is stopped.
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (line.startsWith("game")) console.log("ready");
  if (line.startsWith("go")) setInterval(() => process.stdout.write("info " + "x".repeat(5000) + "\n"), 0);
});
