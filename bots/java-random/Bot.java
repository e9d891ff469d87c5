import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * java-random: plays any legal move, each as likely as the next. The same seed gives the same play.
 *
 * <p>Where the `legal` line is left out (more than 1,000 moves) it plays a move that is always legal in such a
 * position: see withoutAList.
 */
public final class Bot {
    private String game = "";
    private Map<String, String> state = Map.of();
    private List<String> legal = List.of();
    private Random random = new Random(0);

    public static void main(String[] args) throws IOException {
        Bot bot = new Bot();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.trim().split("\\s+");
            if (words[0].equals("quit")) {
                break;
            }
            String answer = bot.answer(words);
            if (answer != null) {
                System.out.println(answer);
                System.out.flush(); // a line that stays in the buffer never reaches the referee
            }
        }
    }

    /** What to say to this line; null for nothing. */
    private String answer(String[] words) {
        switch (words[0]) {
            case "game":
                game = words[1];
                random = new Random(pairs(words).getOrDefault("seed", "0").hashCode());
                return "ready";
            case "state":
                state = pairs(words);
                legal = List.of();
                return null;
            case "legal":
                legal = List.of(words).subList(1, words.length);
                return null;
            case "go":
                return legal.isEmpty() ? withoutAList() : legal.get(random.nextInt(legal.size()));
            default:
                return null; // a word that is not known here
        }
    }

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

    /**
     * 1 is a square, 2 a prime, a number divides itself (and one above N that has so many divisors is even); of a
     * pool or a grid the first number that fits.
     */
    private String withoutAList() {
        switch (game) {
            case "squares":
                return "1";
            case "primes":
                return "2";
            case "linked":
                long n = Long.parseLong(state.get("n"));
                String previous = state.get("previous");
                if (previous.equals("-")) {
                    return String.valueOf(n - 1);
                }
                return Long.parseLong(previous) <= n ? previous : "2";
            case "sum-to-zero":
                return state.get("pool").split(",")[0];
            default:
                long most = Long.parseLong(state.getOrDefault("opponent", "0"));
                for (String cell : state.getOrDefault("grid", "x").split(",")) {
                    if (!cell.equals("x") && Long.parseLong(cell) <= most) {
                        return cell;
                    }
                }
                return "0";
        }
    }
}
