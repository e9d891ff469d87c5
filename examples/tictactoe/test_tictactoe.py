from arena_tictactoe import TicTacToe

from games.conformance import check_game


def test_tic_tac_toe_follows_the_interface() -> None:
    check_game(TicTacToe())
