#!/bin/sh
# sh-middle: plays the middle one of the legal moves, in plain POSIX shell.
#
# Where the `legal` line is left out (more than 1,000 moves) it plays a move that is always legal in such a
# position: see without_a_list.

set -f # no file names for `*`

# value KEY WORDS...: what stands after KEY= among the words
value() {
    key=$1
    shift
    for pair in "$@"; do
        case $pair in "$key"=*) echo "${pair#*=}" ;; esac
    done
}

# 1 is a square, 2 a prime, a number divides itself (and one above N that has so many divisors is even); of a
# pool or a grid the first number that fits.
without_a_list() {
    case $game in
        squares) echo 1 ;;
        primes) echo 2 ;;
        linked)
            n=$(value n $state)
            previous=$(value previous $state)
            if [ "$previous" = - ]; then
                echo $((n - 1))
            elif [ "$previous" -le "$n" ]; then
                echo "$previous"
            else
                echo 2
            fi
            ;;
        sum-to-zero) pool=$(value pool $state) && echo "${pool%%,*}" ;;
        *)
            most=$(value opponent $state)
            for cell in $(value grid $state | tr , ' '); do
                if [ "$cell" != x ] && [ "$cell" -le "$most" ]; then
                    echo "$cell"
                    return
                fi
            done
            ;;
    esac
}

# middle WORDS...: the word in the middle
middle() {
    shift $((($# - 1) / 2))
    echo "$1"
}

while read -r word rest; do
    case $word in
        game) game=${rest%% *} && echo ready ;;
        state) state=$rest && legal= ;;
        legal) legal=$rest ;;
        go) if [ -n "$legal" ]; then middle $legal; else without_a_list; fi ;;
        quit) exit ;;
    esac
done
