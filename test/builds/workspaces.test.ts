import { workspaces } from "./places/workspaces.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(workspaces);
