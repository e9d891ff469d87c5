//! A bot for Arena: reads one line after another and answers two of them, `game` and `go`.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

#[derive(Default)]
struct Bot {
    game: String,                     // the game's id, such as "squares"
    options: HashMap<String, String>, // what the `game` line said: seat, seed, move_ms, total ...
    state: HashMap<String, String>,   // the position, such as total=64
    legal: Vec<String>,               // every legal move; empty if there are more than 1,000
    luck: u64,
}

impl Bot {
    /// The move to play.
    fn choose(&mut self) -> String {
        // PUT YOUR IDEA HERE. This one plays any legal move.
        if !self.legal.is_empty() {
            let at = self.random(self.legal.len());
            return self.legal[at].clone();
        }
        match self.game.as_str() {
            "squares" => "1".to_string(),
            "primes" => "2".to_string(),
            // linked: any number below N at the start, then the previous number again
            _ if self.state["previous"] == "-" => (self.state["n"].parse().unwrap_or(2) - 1).to_string(),
            _ => self.state["previous"].clone(),
        }
    }

    /// A number from 0 to below - 1 (the method is called splitmix64); the same seed gives the same play.
    fn random(&mut self, below: usize) -> usize {
        self.luck = self.luck.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.luck ^ (self.luck >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }

    fn new_game(&mut self, words: &[&str]) {
        self.game = words[1].to_string();
        self.options = pairs(words);
        self.luck = self.options.get("seed").and_then(|seed| seed.parse().ok()).unwrap_or(1);
    }
}

/// "total=64" -> total: 64; words without = are left out.
fn pairs(words: &[&str]) -> HashMap<String, String> {
    let split = words.iter().filter_map(|word| word.split_once('='));
    split.map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn say(line: &str) {
    println!("{line}");
    io::stdout().flush().expect("the referee reads what we say");
}

fn main() {
    let mut bot = Bot::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("game") => {
                bot.new_game(&words);
                say("ready");
            }
            Some("state") => {
                bot.state = pairs(&words);
                bot.legal.clear();
            }
            Some("legal") => bot.legal = words[1..].iter().map(|word| word.to_string()).collect(),
            Some("go") => say(&bot.choose()), // words[1] is the number of milliseconds you have
            Some("quit") => break,
            _ => {} // a word that is not known here
        }
    }
}
