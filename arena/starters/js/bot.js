// A bot for Arena: reads one line after another and answers two of them, `game` and `go`.
"use strict";
const readline = require("node:readline");

let game = ""; // the game's id, such as "squares"
let options = {}; // what the `game` line said, such as { seat: "1", seed: "7", total: "100" }
let state = {}; // the position, such as { total: "64" }
let legal = []; // every legal move; empty if there are more than 1,000: then work one out from `state`

// The move to play.
function choose() {
  // PUT YOUR IDEA HERE. This one plays any legal move.
  if (legal.length > 0) return legal[random(legal.length)];
  if (game === "squares") return "1";
  if (game === "primes") return "2";
  // linked: any number below N at the start, then the previous number again
  return state.previous === "-" ? String(Number(state.n) - 1) : state.previous;
}

// A number from 0 to below - 1. JavaScript's own Math.random takes no seed; with this the same seed gives the same play.
let luck = 1;
function random(below) {
  luck = (Math.imul(luck, 1664525) + 1013904223) >>> 0;
  return Math.floor((luck / 2 ** 32) * below);
}

// ["total=64", "x=1"] -> { total: "64", x: "1" }
const pairs = (words) => Object.fromEntries(words.filter((w) => w.includes("=")).map((w) => w.split("=")));

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "game") {
    game = rest[0];
    options = pairs(rest);
    luck = Number(BigInt(options.seed ?? 1) & 0xffffffffn);
    console.log("ready"); // console.log ends the line, and writes it at once
  } else if (word === "state") {
    state = pairs(rest);
    legal = [];
  } else if (word === "legal") {
    legal = rest;
  } else if (word === "go") {
    console.log(choose()); // rest[0] is the number of milliseconds you have
  } else if (word === "quit") {
    lines.close();
    process.stdin.destroy(); // nothing more is read, so the program ends
  }
});
