@rem Runs the command that it is given: package.json says what for.
@%*
