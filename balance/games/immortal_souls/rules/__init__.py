"""The rules of one attack of Immortal Souls: dice, what their results are spent on, defence and harm."""
