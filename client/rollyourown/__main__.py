"""``ryo``, and ``python -m rollyourown``"""

from client.cli.main import main

if __name__ == "__main__":
    main()
