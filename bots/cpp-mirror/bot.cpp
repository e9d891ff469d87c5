// cpp-mirror: answers with the number that the opponent has just played; in sum-to-zero with its negative,
// which undoes it. Where that is not legal it plays the legal number nearest to it.
//
// Where the `legal` line is left out (more than 1,000 moves) it plays a move that is always legal in such a
// position: see without_a_list.
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Pairs = std::map<std::string, std::string>;

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

// 1 is a square, 2 a prime, a number divides itself (and one above N that has so many divisors is even); of a
// pool or a grid the first number that fits.
static long long without_a_list(const std::string &game, Pairs &state)
{
    if (game == "squares")
        return 1;
    if (game == "primes")
        return 2;
    if (game == "linked") {
        const long long n = std::stoll(state["n"]);
        const long long previous = std::atoll(state["previous"].c_str()); // 0 for "-"
        return previous == 0 ? n - 1 : previous <= n ? previous : 2;
    }
    if (game == "sum-to-zero")
        return std::stoll(state["pool"]);
    std::istringstream cells(state["grid"]);
    for (std::string cell; std::getline(cells, cell, ',');)
        if (cell != "x" && std::stoll(cell) <= std::stoll(state["opponent"]))
            return std::stoll(cell);
    return 0;
}

static long long nearest(const std::vector<long long> &legal, long long wish)
{
    long long best = legal.front();
    for (const long long move : legal)
        if (std::llabs(move - wish) < std::llabs(best - wish))
            best = move;
    return best;
}

int main()
{
    std::string game, seat;
    Pairs state;
    std::vector<long long> legal;
    long long last = 0; // what the opponent played last
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "game") {
            words >> game;
            seat = pairs(words)["seat"];
            last = 0;
            std::cout << "ready" << std::endl; // std::endl flushes; '\n' does not
        } else if (word == "played") {
            std::string who, move;
            words >> who >> move;
            if (who != seat)
                last = std::strtoll(move.c_str(), nullptr, 10);
        } else if (word == "state") {
            state = pairs(words);
            legal.clear();
        } else if (word == "legal") {
            for (std::string move; words >> move;)
                legal.push_back(std::strtoll(move.c_str(), nullptr, 10));
        } else if (word == "go") {
            const long long wish = game == "sum-to-zero" ? -last : last;
            std::cout << (legal.empty() ? without_a_list(game, state) : nearest(legal, wish)) << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
