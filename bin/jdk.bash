# Sourced by the scripts beside it: finds a JDK that is new enough, and Maven to build with it.

readonly fulmar_java_minimum=25

# The feature version of the JDK in $1, or 0. Reads the file every JDK carries, because starting a JVM takes longer.
java_feature_version() {
    local version
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
    printf '%s' "${version:-0}"
}

is_usable_jdk() {
    [[ -x $1/bin/java && -x $1/bin/javac ]] && (($(java_feature_version "$1") >= fulmar_java_minimum))
}

# Prints the home of a JDK: JAVA_HOME, then what the system has installed, then the java on PATH.
find_jdk() {
    local candidate on_path
    local -a candidates=()
    [[ -n ${JAVA_HOME:-} ]] && candidates+=("$JAVA_HOME")
    for candidate in /usr/lib/jvm/* /opt/java/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
        [[ -d $candidate ]] && candidates+=("$candidate")
    done
    if on_path=$(command -v java); then
        on_path=$(readlink -f "$on_path")
        candidates+=("${on_path%/bin/java}")
    fi
    for candidate in "${candidates[@]}"; do
        if is_usable_jdk "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    {
        printf 'fulmar: no JDK %s or newer was found. Looked at:\n' "$fulmar_java_minimum"
        for candidate in "${candidates[@]}"; do
            printf '  %s (version %s)\n' "$candidate" "$(java_feature_version "$candidate")"
        done
        printf 'Install one, or set JAVA_HOME to it.\n'
    } >&2
    return 1
}

# Runs Maven on the JDK in $1, with the rest of the arguments.
maven_on() {
    local jdk=$1
    shift
    if ! command -v mvn >/dev/null; then
        printf 'fulmar: mvn is not on the PATH; Maven 3.8 or newer is needed to build.\n' >&2
        return 1
    fi
    # Maven's own libraries call what newer JDKs warn about; that is no news to who runs this.
    JAVA_HOME=$jdk MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
        mvn -B -ntp "$@"
}
