/** Projects whose packages a package manager installs, as it does for users: from what is published. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const toolBox = fileURLToPath(new URL("table/tool-box", import.meta.url));

/** The packages of the table as they are published, packed into `packed/` of a project. */
export async function packPackages(folder: string): Promise<void> {
  const target = join(folder, "packed");
  await mkdir(target, { recursive: true });
  for (const path of [root, toolBox])
    await execute("npm", ["pack", path, "--ignore-scripts", "--pack-destination", target], { cwd: folder });
}

/** How a manifest depends on what is packed, from a folder that is so many levels below the project's. */
export function packedDependencies(levels: number): Readonly<Record<string, string>> {
  const packed = `file:${"../".repeat(levels) || "./"}packed`;
  return { skein: `${packed}/skein-0.0.0.tgz`, "tool-box": `${packed}/tool-box-1.0.0.tgz` };
}

/** Variables on which downloads depend; a project has no others of this process. */
const ofNetwork = /^(?:https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

/** What managers find in the environment: the registry that npm uses, and folders of their own for what they download. */
export async function managerEnvironment(installed: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await execute("npm", ["config", "get", "registry"]);
  const registry = stdout.trim();
  return {
    ...Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value = ""]) =>
        ofNetwork.test(name) ? [[name, value]] : [],
      ),
    ),
    npm_config_registry: registry,
    XDG_DATA_HOME: join(installed, ".share"),
    XDG_CACHE_HOME: join(installed, ".cache"),
    XDG_STATE_HOME: join(installed, ".state"),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_GLOBAL_FOLDER: join(installed, ".yarn"),
    YARN_ENABLE_TELEMETRY: "0",
    // Installs without a lock file.
    YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
  };
}

/**
 * What a manifest replaces the packages for other platforms by: Yarn resolves them, too, and registries may lack them.
 * @param instead - Any package that is there.
 */
export function foreignPackages(instead: string): Readonly<Record<string, string>> {
  const { dependencies = {} } = readManifest(root);
  const optional = Object.keys(dependencies).flatMap((name) =>
    Object.keys(readManifest(join(root, "node_modules", name)).optionalDependencies ?? {}),
  );
  const foreign = optional.filter((name) => !existsSync(join(root, "node_modules", name)));
  return Object.fromEntries(foreign.map((name) => [name, instead]));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
