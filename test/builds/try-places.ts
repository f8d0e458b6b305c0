/** Tries places: builds each, runs it, and holds what comes of the table there to what comes of it in development. */
import { beforeAll, expect, test } from "vitest";
import { findDifferences, findUnrefused, findUnsafe } from "./compare-reports.ts";
import type { Outcome, Place, PlaceGroup } from "./place.ts";
import { deployProject, makeProject, type Finished, type Project } from "./project.ts";
import type { CaseReport } from "./table/src/case.ts";

/** Where everything starts: Node runs the sources. */
const development = { name: "development", write: "", gets: "schemas", run: "node src/main.ts" } as const;

/** Tests of every place of a group. */
export function tryPlaces({ title, places }: PlaceGroup): void {
  let expected: readonly CaseReport[];

  beforeAll(async () => {
    const place = { ...development, name: `development for ${title}` };
    expected = parseReport(await (await makeProject(place)).run(place.run));
    expect(
      expected.flatMap(({ title, refused }) => (refused === undefined ? [] : [`${title}: ${refused}`])),
    ).toEqual([]);
    expect(findUnsafe(expected)).toEqual([]);
    expect(expected.length).toBeGreaterThanOrEqual(40);
    expect(expected.reduce((sum, { hostile }) => sum + hostile.calls, 0)).toBeGreaterThan(4_000);
  }, 60_000);

  test.each(places.filter(({ gets }) => gets === "schemas"))(
    "$name: every tool has the schema that it has in development",
    { timeout: 540_000 },
    async (place) => {
      expect(await findProblems(place, expected)).toEqual([]);
    },
  );

  test.each(places.filter(({ gets }) => gets !== "schemas"))(
    "$name: every tool that needs its types is refused, with the remedy",
    { timeout: 540_000 },
    async (place) => {
      expect(await findProblems(place, expected)).toEqual([]);
    },
  );
}

/** Builds a place and runs it: everything that is not as the place says. */
async function findProblems(place: Place, expected: readonly CaseReport[]): Promise<readonly string[]> {
  const project = await makeProject(place);
  const built = place.build === undefined ? undefined : await project.run(place.build);
  const failed = built === undefined ? undefined : buildProblem(place.gets, built);
  if (failed !== undefined) return [failed];
  const reports = await reportOf(project, place);
  return [...findUnsafe(reports), ...findWrong(place.gets, reports, expected)];
}

/** Why the build is not as it must be. */
function buildProblem(gets: Outcome, built: Finished): string | undefined {
  const text = built.stdout + built.stderr;
  const refusal = typeof gets === "object" && gets.atBuild ? gets.refusal : undefined;
  if (refusal === undefined) return built.exitCode === 0 ? undefined : text;
  if (built.exitCode === 0) return `The build did not fail:\n${text}`;
  return text.includes(refusal) ? undefined : text;
}

/** What the program prints; nothing, where the build is what refuses. */
async function reportOf(project: Project, { gets, deploy, run }: Place): Promise<readonly CaseReport[]> {
  if (typeof gets === "object" && gets.atBuild) return [];
  const place = deploy === undefined ? project : await deployProject(project, deploy);
  return parseReport(await place.run(run));
}

function findWrong(
  gets: Outcome,
  reports: readonly CaseReport[],
  expected: readonly CaseReport[],
): readonly string[] {
  if (gets === "schemas") return findDifferences(reports, expected);
  return gets.atBuild ? [] : findUnrefused(reports, expected, gets);
}

/** The report is the last line of the output. */
function parseReport({ stdout, stderr, exitCode }: Finished): readonly CaseReport[] {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith("["))
    throw new Error(`The program printed no report (${exitCode}):\n${stdout}\n${stderr}`);
  return JSON.parse(line);
}
