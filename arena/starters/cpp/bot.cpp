// A bot for Arena: reads one line after another and answers two of them, `game` and `go`.
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using Pairs = std::map<std::string, std::string>;

// "total=64 x=1" -> {{"total", "64"}, {"x", "1"}}
static Pairs pairs(std::istringstream &words)
{
    Pairs found;
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        if (equals != std::string::npos)
            found[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return found;
}

struct Bot {
    std::string game;               // the game's id, such as "squares"
    Pairs options;                  // what the `game` line said: seat, seed, move_ms, total ...
    Pairs state;                    // the position, such as total=64
    std::vector<std::string> legal; // every legal move; empty if there are more than 1,000
    std::mt19937_64 random;

    // The move to play.
    std::string choose()
    {
        // PUT YOUR IDEA HERE. This one plays any legal move.
        if (!legal.empty())
            return legal[random() % legal.size()];
        if (game == "squares")
            return "1";
        if (game == "primes")
            return "2";
        // linked: any number below N at the start, then the previous number again
        return state["previous"] == "-" ? std::to_string(std::stoll(state["n"]) - 1) : state["previous"];
    }
};

int main()
{
    Bot bot;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "game") {
            words >> bot.game;
            bot.options = pairs(words);
            std::seed_seq seed(bot.options["seed"].begin(), bot.options["seed"].end());
            bot.random.seed(seed); // the same seed gives the same play
            std::cout << "ready" << std::endl; // std::endl flushes; '\n' does not
        } else if (word == "state") {
            bot.state = pairs(words);
            bot.legal.clear();
        } else if (word == "legal") {
            for (std::string move; words >> move;)
                bot.legal.push_back(move);
        } else if (word == "go") { // then the milliseconds you have
            std::cout << bot.choose() << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
