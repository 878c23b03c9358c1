# Read by the scripts that build packages, in the folder of the repository: names the same folders in every program, wherever
# the repository and the libraries' sources are, so that two builds of one commit are the same. Some libraries generate
# code whose path is in the program.
RUSTFLAGS="--remap-path-prefix=$(pwd)=/packbench --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
export RUSTFLAGS
