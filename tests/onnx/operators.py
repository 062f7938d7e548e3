"""Lists the operators, each as calls of ours. An operator that is not in these files has a line in reasons.txt."""
import elementwise  # noqa: F401
import arranging  # noqa: F401
import reducing  # noqa: F401
import indexing  # noqa: F401
import layers  # noqa: F401
import recurring  # noqa: F401
import resizing  # noqa: F401
import attending  # noqa: F401
import training  # noqa: F401
