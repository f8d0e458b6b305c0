import { expect, test } from "vitest";
import { presetTable } from "../src/connectors/mcp/presets/table.ts";
import { skein } from "./skein-command.ts";

test("skein mcp list prints each server, how it starts and what it lacks", async () => {
  const { code, stdout, stderr } = await skein(["mcp", "list"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const [name, { about, docs }] of Object.entries(presetTable)) {
    expect(stdout).toContain(`${name}  ${about}\n`);
    expect(stdout).toContain(`  ${docs}\n`);
  }
  expect(stdout).toContain("  npx -y @modelcontextprotocol/server-filesystem FOLDER...\n  + npx\n");
  expect(stdout).toContain(
    "  https://api.githubcopilot.com/mcp/\n  - GITHUB_PERSONAL_ACCESS_TOKEN is not set: ",
  );
  expect(stdout).toContain("  ? MEMORY_FILE_PATH may be set: ");
  expect(stdout).toContain("  ? It needs a Notion account");
});

test("skein mcp list --json gives the same as data", async () => {
  const { stdout } = await skein(["mcp", "list", "--json"]);
  const listed = JSON.parse(stdout) as { name: string; missing: { code: string; what: string }[] }[];
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(presetTable));
  const github = listed.find(({ name }) => name === "github");
  expect(github).toMatchObject({
    url: "https://api.githubcopilot.com/mcp/",
    missing: [{ code: "missing-variable", what: "GITHUB_PERSONAL_ACCESS_TOKEN" }],
  });
});
