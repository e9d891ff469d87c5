#!/usr/bin/env bash
# A bot for Arena: reads one line after another and answers two of them, `game` and `go`.

set -f # no file names for `*`

game=""            # the game's id, such as squares
declare -A state   # the position: ${state[total]} is 64
legal=()           # every legal move; empty if there are more than 1,000

# Print the move to play.
choose() {
    # PUT YOUR IDEA HERE. This one plays any legal move.
    if ((${#legal[@]} > 0)); then
        echo "${legal[RANDOM % ${#legal[@]}]}"
    elif [[ $game == squares ]]; then
        echo 1
    elif [[ $game == primes ]]; then
        echo 2
    elif [[ ${state[previous]} == - ]]; then # linked: any number below N at the start ...
        echo $((state[n] - 1))
    else # ... then the previous number again
        echo "${state[previous]}"
    fi
}

# remember KEY=VALUE ...: keep the position
remember() {
    state=()
    legal=()
    local pair
    for pair in "$@"; do
        state[${pair%%=*}]=${pair#*=}
    done
}

while read -r word rest; do
    case $word in
        game)
            game=${rest%% *}
            seed=${rest#*seed=}
            RANDOM=$((${seed%% *} % 32768)) # the same seed gives the same play
            echo ready
            ;;
        state) remember $rest ;;
        legal) read -r -a legal <<<"$rest" ;;
        go) choose ;; # $rest is the number of milliseconds you have
        quit) break ;;
    esac
done
