import { frameworks } from "./places/frameworks.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(frameworks);
