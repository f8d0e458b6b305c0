/** Tries places: builds each, runs it, and holds what comes of the table there to what comes of it in development. */
import { beforeAll, expect, test } from "vitest";
import {
  findDifferences,
  findUndeclared,
  findUnrefused,
  findUnsafe,
  findUnwarned,
  says,
} from "./compare-reports.ts";
import type { Place, PlaceGroup, Refusal } from "./place.ts";
import { isWhole } from "../effort.ts";
import { alike } from "./alike.ts";
import { deployProject, makeProject, type Finished, type Project } from "./project.ts";
import type { CaseReport } from "./table/src/case.ts";

/** Where everything starts: Node runs the sources. */
const development = { name: "development", write: "", gets: "schemas", run: "node src/main.ts" } as const;

/** Tests of every place of a group. */
export function tryPlaces({ title, places: all }: PlaceGroup): void {
  const places = isWhole ? all : all.filter(({ name }) => !alike.has(name));
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

  test.each(places.filter(({ gets }) => gets === "declared schemas"))(
    "$name: every tool has the schema that declarations tell",
    { timeout: 540_000 },
    async (place) => {
      expect(await findProblems(place, expected)).toEqual([]);
    },
  );

  test.each(places.filter(({ gets }) => typeof gets === "object" && "warning" in gets))(
    "$name: every tool has the schema that its types tell, and a warning of what they do not",
    { timeout: 540_000 },
    async (place) => {
      expect(await findProblems(place, expected)).toEqual([]);
    },
  );

  test.each(places.filter((place) => refusalOf(place) !== undefined))(
    "$name: every tool that needs its types is refused, with the remedy",
    { timeout: 540_000 },
    async (place) => {
      expect(await findProblems(place, expected)).toEqual([]);
    },
  );
}

/** Builds a place and runs it: what is not as the place says, as much of it as a reader takes in. */
async function findProblems(place: Place, expected: readonly CaseReport[]): Promise<readonly string[]> {
  const project = await makeProject(place);
  try {
    return await findProblemsOf(project, place, expected);
  } finally {
    await project.remove();
  }
}

async function findProblemsOf(
  project: Project,
  place: Place,
  expected: readonly CaseReport[],
): Promise<readonly string[]> {
  const refusal = refusalOf(place);
  const built = place.build === undefined ? undefined : await project.run(place.build);
  const failed = built && buildProblem(refusal, built);
  if (failed !== undefined) return [failed.slice(0, 2_000)];
  if (refusal?.atBuild) return [];
  const reports = await reportOf(project, place);
  return findWrong(reports, expected, place)
    .map((problem) => problem.slice(0, 600))
    .slice(0, 8);
}

function findWrong(
  reports: readonly CaseReport[],
  expected: readonly CaseReport[],
  { gets }: Place,
): readonly string[] {
  if (gets === "schemas") return [...findUnsafe(reports), ...findDifferences(reports, expected)];
  if (gets === "declared schemas") return [...findUnsafe(reports), ...findUndeclared(reports, expected)];
  if ("refusal" in gets) return [...findUnsafe(reports), ...findUnrefused(reports, expected, gets)];
  if ("warning" in gets)
    return [...findUnsafe(reports, gets.withoutNull), ...findUnwarned(reports, expected, gets)];
  throw new Error("A place that is not tried has no report.");
}

function refusalOf({ gets }: Place): Refusal | undefined {
  return typeof gets === "object" && "refusal" in gets ? gets : undefined;
}

/** Why the build is not as it must be. */
function buildProblem(refusal: Refusal | undefined, built: Finished): string | undefined {
  const text = built.stdout + built.stderr;
  if (!refusal?.atBuild) return built.exitCode === 0 ? undefined : text;
  if (built.exitCode === 0) return `The build did not fail:\n${text}`;
  return says(text, refusal.refusal) ? undefined : text;
}

async function reportOf(project: Project, { deploy, run }: Place): Promise<readonly CaseReport[]> {
  if (deploy === undefined) return parseReport(await project.run(run));
  const deployed = await deployProject(project, deploy);
  try {
    return parseReport(await deployed.run(run));
  } finally {
    await deployed.remove();
  }
}

/** The report is the last line of the output. */
function parseReport({ stdout, stderr, exitCode }: Finished): readonly CaseReport[] {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith("["))
    throw new Error(`The program printed no report (${exitCode}):\n${stdout}\n${stderr}`);
  return JSON.parse(line);
}
