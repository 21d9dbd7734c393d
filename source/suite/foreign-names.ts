/**
 * What other tools call the checks that exist here: somebody who writes `regex` did not mistype. Only names that
 * mean the same or nearly so.
 */
export const foreignCheckTypes: ReadonlyMap<string, string> = new Map([
  ['regex', 'pattern_present'],
  ['not-regex', 'pattern_absent'],
  ['contains', 'keywords_present'],
  ['icontains', 'keywords_present'],
  ['contains-all', 'keywords_present'],
  ['icontains-all', 'keywords_present'],
  ['contains-any', 'keywords_present'],
  ['icontains-any', 'keywords_present'],
  ['not-contains', 'keywords_absent'],
  ['not-icontains', 'keywords_absent'],
  ['is-json', 'json_schema'],
  ['contains-json', 'json_schema'],
  ['llm-rubric', 'judge'],
  ['llm_judge', 'judge'],
  ['g-eval', 'judge'],
  ['rubric', 'judge'],
  ['rubrics', 'judge'],
  ['model-graded-closedqa', 'judge'],
  ['tool-call', 'tool_called'],
  ['tool_call', 'tool_called'],
  ['tool_used', 'tool_called'],
  ['skill-used', 'tool_called'],
  ['trajectory', 'tool_order'],
  ['tool_sequence', 'tool_order'],
  ['latency', 'budget'],
  ['cost', 'budget'],
  ['token_usage', 'budget'],
  ['equals', 'field_equals'],
]);

/** What other tools call the keys of a scenario. */
export const foreignScenarioKeys: ReadonlyMap<string, string> = new Map([
  ['assert', 'checks'],
  ['asserts', 'checks'],
  ['assertions', 'checks'],
  ['vars', 'variables'],
  ['persona', 'profile'],
  ['query', 'message'],
  ['prompt', 'message'],
  ['mocks', 'fixtures'],
]);

/** What other tools call the keys of a suite. */
export const foreignSuiteKeys: ReadonlyMap<string, string> = new Map([
  ['tests', 'scenarios'],
  ['cases', 'scenarios'],
  ['prompts', 'target'],
  ['providers', 'target'],
  ['provider', 'target'],
  ['assert', 'checks'],
  ['criteria', 'checks'],
  ['simulator', 'user'],
  ['simulated_user', 'user'],
  ['user_simulator', 'user'],
]);
