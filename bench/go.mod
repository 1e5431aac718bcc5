module avsim/bench

go 1.26.0

require avsim v0.0.0

require gonum.org/v1/gonum v0.17.0 // indirect

replace avsim => ../
