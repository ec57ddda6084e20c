"""What a project depends on, as its build files say, and where that lies on this machine; nothing is downloaded, and no
build tool is run.

`discovery` looks for it all, `maven` and `gradle` read build files, `xml` reads XML that is not trusted, `contents` the
class files of what was found.
"""
