program short
  call other
  call other
end program
