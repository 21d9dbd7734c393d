import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listBaselines, readBaseline } from '../../source/compare/baseline-file.js';
import { checkCatalogue } from '../../source/grade/registry.js';
import { loadProject } from '../../source/project/config.js';
import { loadPrompt } from '../../source/project/prompts.js';
import { planScenario } from '../../source/run/plan.js';
import { loadSuite } from '../../source/suite/load.js';
import { promptOf } from '../../source/suite/target.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

// When this fails the suite was changed: run it with the seeds 7, 8, 9 and 10 and save the runs again (docs/baselines.md).
test.each(['support-agent', 'message-actions'])(
  'the shipped baseline of %s is of what is deployed and asks what the suite asks',
  async (name) => {
    const project = await loadProject({ cwd: root, env: {} });
    const suite = await loadSuite(project, name, checkCatalogue);
    const [place, ...others] = await listBaselines(project, name);
    expect(others).toEqual([]);
    const baseline = await readBaseline(project, place?.path ?? '');
    const prompt = await loadPrompt(project, promptOf(suite) ?? '');
    expect(baseline.condition.prompt).toMatchObject({ path: prompt.path, sha256: prompt.sha256 });
    expect(baseline.runs).toHaveLength(4);
    for (const scenario of suite.scenarios) {
      const { parts, hash, checks } = planScenario(scenario);
      const expected = baseline.scenarios[scenario.id];
      expect(expected).toMatchObject({ parts, hash });
      for (const check of checks)
        expect(expected?.checks[check.id]).toMatchObject({ hash: check.hash, of: 12 });
    }
    expect(Object.keys(baseline.scenarios)).toHaveLength(suite.scenarios.length);
  },
);
