from freehold import main

main()
