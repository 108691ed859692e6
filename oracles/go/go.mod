module keyfall/oracle

go 1.24
