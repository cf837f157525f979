"""The rules of BattleLore as pure functions: dice, strikes, morale and whole combats."""
