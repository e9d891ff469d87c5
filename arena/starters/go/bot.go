// A bot for Arena: reads one line after another and answers two of them, `game` and `go`.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

var (
	game    string            // the game's id, such as "squares"
	options map[string]string // what the `game` line said: seat, seed, move_ms, total ...
	state   map[string]string // the position, such as total=64
	legal   []string          // every legal move; empty if there are more than 1,000
	random  = rand.New(rand.NewSource(1))
)

// choose gives the move to play.
func choose() string {
	// PUT YOUR IDEA HERE. This one plays any legal move.
	if len(legal) > 0 {
		return legal[random.Intn(len(legal))]
	}
	switch {
	case game == "squares":
		return "1"
	case game == "primes":
		return "2"
	case state["previous"] == "-": // linked: any number below N at the start ...
		n, _ := strconv.Atoi(state["n"])
		return strconv.Itoa(n - 1)
	}
	return state["previous"] // ... then the previous number again
}

// pairs makes a map of words such as "total=64"; words without = are left out.
func pairs(words []string) map[string]string {
	found := map[string]string{}
	for _, word := range words {
		if key, value, ok := strings.Cut(word, "="); ok {
			found[key] = value
		}
	}
	return found
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20) // a `legal` line can be long
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "game":
			game, options = words[1], pairs(words)
			seed, _ := strconv.ParseUint(options["seed"], 10, 64)
			random = rand.New(rand.NewSource(int64(seed))) // the same seed gives the same play
			fmt.Println("ready")                           // fmt.Println writes at once
		case "state":
			state, legal = pairs(words), nil
		case "legal":
			legal = words[1:]
		case "go": // words[1] is the number of milliseconds you have
			fmt.Println(choose())
		case "quit":
			return
		}
	}
}
