import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContainerOptions } from "skein/sandbox";

/** Packages of Debian whose files make an image: what attempts run, and what that needs. */
const packages = [
  ..."bash coreutils dash findutils grep hostname login mount perl-base procps sed util-linux".split(" "),
  ..."libacl1 libattr1 libaudit1 libblkid1 libc-bin libc6 libcap-ng0 libcap2 libcrypt1 libgcrypt20 libgmp10".split(
    " ",
  ),
  ..."libgpg-error0 liblz4-1 liblzma5 libmount1 libpam0g libpcre2-8-0 libproc2-0 libselinux1 libsmartcols1".split(
    " ",
  ),
  ..."libsystemd0 libtinfo6 libudev1 libuuid1 libzstd1".split(" "),
];

/** Links of the root, and folders that engines fill. */
const links = ["bin", "lib", "lib64", "sbin"];
const empty = ["dev", "proc", "sys", "tmp"];

/** An engine with an image. */
export interface Engine {
  readonly via: ContainerOptions;
  readonly close: () => void;
}

/** Has podman import an image of this machine's packages: no registry is asked. */
export function startEngine(): Engine {
  const folder = mkdtempSync(join(tmpdir(), "skein-image-"));
  const image = `localhost/skein-test-${process.pid}`;
  const files = execFileSync("dpkg", ["-L", ...packages], { encoding: "utf8" })
    .split("\n")
    .filter(
      (path) => path.startsWith("/") && path !== "/." && !/^\/usr\/share\/(?:doc|info|locale|man)/.test(path),
    )
    .map((path) => path.slice(1).replace(/^(?=(?:bin|lib|lib64|sbin)(?:\/|$))/, "usr/"));
  const list = join(folder, "list");
  writeFileSync(list, [...links, ...empty, ...new Set(files)].join("\n"));
  const tar = join(folder, "image.tar");
  execFileSync("tar", ["-C", "/", "--no-recursion", "--ignore-failed-read", "-cf", tar, "-T", list], {
    stdio: "pipe",
  });
  execFileSync("podman", ["import", "--quiet", tar, image], { stdio: "pipe" });
  rmSync(tar);
  // podman asks for more processes than a machine may allow, unless it is told how many.
  const command = join(folder, "podman");
  const script = `#!/bin/sh\n[ "$1" = run ] || exec podman "$@"\nshift\nexec podman run --ulimit nproc=4096:4096 "$@"\n`;
  writeFileSync(command, script, { mode: 0o755 });
  return {
    via: { container: command, image, runtime: "runc" },
    close: () => {
      execFileSync("podman", ["rmi", "--force", image], { stdio: "pipe" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** How many containers there are. */
export function countContainers(): number {
  return execFileSync("podman", ["ps", "--all", "--quiet"], { encoding: "utf8" }).split("\n").length - 1;
}
