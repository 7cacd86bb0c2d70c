module example.org/flaghoist/program

go 1.23

require example.org/flaghoist/client v0.0.0

replace example.org/flaghoist/client => ../client
