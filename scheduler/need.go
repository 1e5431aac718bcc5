package scheduler

type need struct{ vacuum, analyze, wraparound bool }
