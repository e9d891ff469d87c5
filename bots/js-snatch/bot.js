// js-snatch: wins at once where it can, and plays the middle one of the legal moves where it cannot.
//
// Where the `legal` line is left out (more than 1,000 moves) it plays a move that is always legal in such a
// position: see withoutAList.
"use strict";
const readline = require("node:readline");

let game = "";
let state = {};
let legal = [];

const pairs = (words) => Object.fromEntries(words.filter((w) => w.includes("=")).map((w) => w.split("=")));

// The one number that would finish the game now, if it is legal.
function finisher() {
  if (game === "squares") return state.total;
  if (game === "primes" || game === "linked") return state.n;
  if (game === "sum-to-zero") return String(-Number(state.sum));
  return state.opponent; // grid
}

// 1 is a square, 2 a prime, a number divides itself (and one above N that has so many divisors is even); of a
// pool or a grid the first number that fits.
function withoutAList() {
  if (game === "squares") return "1";
  if (game === "primes") return "2";
  if (game === "linked" && state.previous === "-") return String(Number(state.n) - 1);
  if (game === "linked") return Number(state.previous) <= Number(state.n) ? state.previous : "2";
  if (game === "sum-to-zero") return state.pool.split(",")[0];
  if (game === "grid") return state.grid.split(",").find((c) => c !== "x" && Number(c) <= Number(state.opponent));
  return "0";
}

function choose() {
  if (legal.length === 0) return withoutAList();
  return legal.includes(finisher()) ? finisher() : legal[legal.length >> 1];
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "game") {
    game = rest[0];
    console.log("ready"); // console.log ends the line, and writes it at once
  } else if (word === "state") {
    state = pairs(rest);
    legal = [];
  } else if (word === "legal") {
    legal = rest;
  } else if (word === "go") {
    console.log(choose());
  } else if (word === "quit") {
    lines.close();
    process.stdin.destroy(); // nothing more is read, so the program ends
  }
});
