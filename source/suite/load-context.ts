import type { MapNode } from '../base/nodes.js';
import type { Project } from '../project/config.js';
import type { CheckCatalogue } from './catalogue.js';
import type { SuitePlace } from './find.js';

/** What loading a suite has at hand. */
export interface LoadContext {
  project: Project;
  place: SuitePlace;
  /** suite.yaml, as it is called in problems. */
  file: string;
  node: MapNode;
  catalogue: CheckCatalogue;
  unsure: ReadonlySet<string>;
}
