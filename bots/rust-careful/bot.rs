//! rust-careful: wins at once where it can; otherwise the largest legal number after which the opponent cannot.
//!
//! Where the `legal` line is left out (more than 1,000 moves) it plays a move that is always legal in such a
//! position: see `without_a_list`.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

#[derive(Default)]
struct Bot {
    game: String,
    state: HashMap<String, String>,
    legal: Vec<i64>,
}

fn pairs(words: &[&str]) -> HashMap<String, String> {
    let split = words.iter().filter_map(|word| word.split_once('='));
    split.map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn is_prime(n: i64) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

fn is_square(n: i64) -> bool {
    (1..).take_while(|k| k * k <= n).any(|k| k * k == n)
}

impl Bot {
    fn number(&self, key: &str) -> i64 {
        self.state.get(key).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// The numbers of a list such as `pool` or `grid`; what is taken (`x`) is left out.
    fn numbers(&self, key: &str) -> Vec<i64> {
        let list = self.state.get(key).map(String::as_str).unwrap_or("");
        list.split(',').filter_map(|text| text.parse().ok()).collect()
    }

    /// Whether this move ends the game in our favour.
    fn wins(&self, m: i64) -> bool {
        match self.game.as_str() {
            "squares" => m == self.number("total"),
            "sum-to-zero" => m == -self.number("sum"),
            "grid" => m == self.number("opponent"),
            _ => m == self.number("n"),
        }
    }

    /// Whether the opponent could end the game right after this move.
    fn gives_it_away(&self, m: i64) -> bool {
        match self.game.as_str() {
            "squares" => is_square(self.number("total") - m),
            "primes" => is_prime(self.number("n") - m),
            "linked" => {
                let rest = self.number("n") - m;
                rest % m == 0 || m % rest == 0
            }
            "sum-to-zero" => {
                let wanted = -(self.number("sum") + m);
                wanted != m && self.numbers("pool").contains(&wanted)
            }
            _ => m != self.number("you") && self.numbers("grid").contains(&self.number("you")),
        }
    }

    /// 1 is a square, 2 a prime, a number divides itself (and one above N that has so many divisors is even); of
    /// a pool or a grid the first number that fits.
    fn without_a_list(&self) -> i64 {
        match self.game.as_str() {
            "squares" => 1,
            "primes" => 2,
            "linked" if self.number("previous") == 0 => self.number("n") - 1,
            "linked" if self.number("previous") > self.number("n") => 2,
            "linked" => self.number("previous"),
            "sum-to-zero" => self.numbers("pool")[0],
            _ => {
                let most = self.number("opponent");
                self.numbers("grid").into_iter().find(|&cell| cell <= most).unwrap_or(0)
            }
        }
    }

    fn choose(&self) -> i64 {
        if self.legal.is_empty() {
            return self.without_a_list();
        }
        if let Some(&m) = self.legal.iter().find(|&&m| self.wins(m)) {
            return m;
        }
        let safe = self.legal.iter().filter(|&&m| !self.gives_it_away(m)).max();
        *safe.unwrap_or(&self.legal[0])
    }
}

fn main() {
    let mut bot = Bot::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.first().copied() {
            Some("game") => {
                bot.game = words[1].to_string();
                "ready".to_string()
            }
            Some("state") => {
                bot.state = pairs(&words);
                bot.legal.clear();
                continue;
            }
            Some("legal") => {
                bot.legal = words.iter().filter_map(|word| word.parse().ok()).collect();
                continue;
            }
            Some("go") => bot.choose().to_string(),
            Some("quit") => break,
            _ => continue, // a word that is not known here
        };
        println!("{answer}");
        io::stdout().flush().expect("the referee reads what we say");
    }
}
