import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A bot for Arena: reads one line after another and answers two of them, `game` and `go`. */
public final class Bot {
    private String game = ""; // the game's id, such as "squares"
    private Map<String, String> options = Map.of(); // what the `game` line said: seat, seed, move_ms, total ...
    private Map<String, String> state = Map.of(); // the position, such as total=64
    private List<String> legal = List.of(); // every legal move; empty if there are more than 1,000
    private Random random = new Random(0);

    /** The move to play. */
    private String choose() {
        // PUT YOUR IDEA HERE. This one plays any legal move.
        if (!legal.isEmpty()) {
            return legal.get(random.nextInt(legal.size()));
        }
        if (game.equals("squares")) {
            return "1";
        }
        if (game.equals("primes")) {
            return "2";
        }
        // linked: any number below N at the start, then the previous number again
        String previous = state.get("previous");
        return previous.equals("-") ? String.valueOf(Long.parseLong(state.get("n")) - 1) : previous;
    }

    public static void main(String[] args) throws IOException {
        Bot bot = new Bot();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.trim().split("\\s+");
            if (words[0].equals("quit")) {
                break;
            }
            bot.hear(words);
        }
    }

    private void hear(String[] words) {
        if (words[0].equals("game")) {
            game = words[1];
            options = pairs(words);
            random = new Random(options.getOrDefault("seed", "0").hashCode()); // the same seed gives the same play
            say("ready");
        } else if (words[0].equals("state")) {
            state = pairs(words);
            legal = List.of();
        } else if (words[0].equals("legal")) {
            legal = List.of(words).subList(1, words.length);
        } else if (words[0].equals("go")) { // words[1] is the number of milliseconds you have
            say(choose());
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush(); // without it the answer may stay in a buffer
    }

    /** "total=64" -> total: 64; words without = are left out. */
    private static Map<String, String> pairs(String[] words) {
        Map<String, String> found = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                found.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return found;
    }
}
