import { runners } from "./places/runners.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(runners);
