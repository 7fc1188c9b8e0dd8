@rem npm start begins with exec, so that a signal to npm reaches the server and not a shell. Windows has no such word.
@%*
