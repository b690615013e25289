"""Tetress is the same on every interpreter: legal actions, lines, ends, and each level's choices."""

from firmware.tetress.computer import LEVELS, Computer
from firmware.tetress.game import Game


def mix(value, number):
    return (value * 31 + number) & 0xFFFFFF


actions = [0] * 2299
game = Game()
seed = 1
total = 0
value = 7
lengths = []
for _round in range(3):
    game.begin()
    while not game.over:
        count = game.list_actions(actions)
        total += count
        seed = (seed * 1021 + 12345) & 0xFFFFF
        for i in range(0, count, 7):
            value = mix(value, actions[i])
        assert game.play(actions[(seed >> 4) % count]) == 0
        value = mix(value, game.lines)
    lengths.append(game.played)
    value = mix(value, game.over)

chosen = []
for level in range(1, LEVELS + 1):
    game.begin()
    computer = Computer(level)
    for i in range(6):
        computer.begin(game, level)
        while not computer.think(50):
            pass
        assert game.play(computer.action) == 0
        if level == LEVELS and i == 2:
            break
    chosen.append(computer.action)

print(total, value, lengths, chosen)
