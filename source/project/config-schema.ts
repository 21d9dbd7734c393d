// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { z } from 'zod';
import { failOnNames } from './gate-settings.js';

const path = z.string().min(1);
const share = z.number().min(0).max(1);
const positive = z.int().min(1);
const dollars = z.number().min(0);

/** `provider:model`. Of the provider only the form is known here. */
export const modelReferenceForm = /^[A-Za-z0-9][\w.-]*:\S+$/;

const modelReference = z
  .string()
  .regex(modelReferenceForm, { error: 'expected provider:model, as in "openai:gpt-4o-mini"' })
  .describe('provider:model, as in openai:gpt-4o-mini or simulated:support-agent');

const vendorName = z.string().regex(/^\S(.*\S)?$/, { error: 'expected a name, as in "anthropic"' });

/** Headers that say how a request is sent, which is for the client to know. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|accept-encoding|expect|upgrade|te)$/i;

const warnAndFail = z
  .strictObject({
    warn: z.number().min(0).optional(),
    fail: z.number().min(0).optional(),
  })
  .refine(({ warn, fail }) => warn === undefined || fail === undefined || warn <= fail, {
    error: 'warn is above fail, so that nothing would ever only be warned of',
  });

/** What `.evalrc.json` may say. The defaults of numbers stand in `run-settings.ts`, so that their origin is known. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    project: z
      .string()
      .regex(/^[^\p{Cc}/\\]+$/u, { error: 'expected a name without slashes' })
      .optional()
      .describe("The project's name in reports and in the data folder; the folder's name otherwise."),
    suites: path.default('suites').describe('Folder of the suites, from the top of the project.'),
    baselines: path.default('baselines').describe('Folder of the baselines.'),
    simulated: path.default('simulated').describe('Folder of the simulated models.'),
    logs: path.nullish().describe("Folder of the runs; null: the user's data folder, outside the repo."),
    models: z
      .record(
        z.string().regex(/^[^\s:]+$/, { error: 'a name of a model has no colon and no space' }),
        modelReference,
      )
      .default({})
      .describe('Names for models, so that suites say what a model is for rather than which it is.'),
    providers: z
      .record(
        z.string().min(1),
        z.strictObject({
          api: z.enum(['anthropic', 'openai-chat', 'openai-responses']).optional(),
          baseURL: z.string().min(1).optional(),
          keyEnv: z
            .string()
            .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
              error: 'expected the name of an environment variable, as in "LOCAL_API_KEY"',
            })
            .optional()
            .describe('The environment variable that holds the key.'),
          account: z
            .string()
            .min(1)
            .optional()
            .describe('Providers of one account share its limits where they share its key.'),
          vendor: z
            .union([vendorName, z.record(z.string().min(1), vendorName)], {
              error:
                'expected a name, as in "anthropic", or names by model, as in {"anthropic/*": "anthropic"}',
            })
            .optional()
            .describe(
              'Whose models it serves, where it is a gateway or a server of your own: a name, or names by model or the beginning of one. A judge of the same vendor as the agent is pointed out.',
            ),
          headers: z
            .record(
              z
                .string()
                .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'expected the name of a header' })
                .refine((name) => !ownHeaders.test(name), {
                  error: 'this header is not for a config to set',
                }),
              z.string().regex(/^[\x20-\x7e]*$/, { error: 'expected ASCII on one line' }),
            )
            .optional()
            .describe(
              'Sent with every request; ${NAME} is taken from the environment. Those that the API sets itself can be replaced.',
            ),
          query: z
            .record(z.string().min(1), z.string())
            .optional()
            .describe('Added to the address of every request, as Azure wants api-version.'),
          concurrency: positive.optional(),
          requestsPerMinute: positive.optional(),
          tokensPerMinute: positive.optional(),
        }),
      )
      .default({}),
    prompts: z
      .record(z.string().min(1), z.strictObject({ deployed: path, candidate: path.optional() }))
      .default({})
      .describe('Prompts by name: the version that is deployed, and the one that is tried.'),
    run: z
      .strictObject({
        repeat: positive.max(1000).optional().describe('Trials of every scenario.'),
        bisectRepeat: positive.max(1000).optional(),
        concurrency: positive.max(1000).optional().describe('Trials in flight at once.'),
        trialTimeoutSeconds: z.number().gt(0).max(86_400).optional().describe('Hard limit of one trial.'),
        attempts: positive.max(100).optional().describe('How often a trial that could not be run is tried.'),
      })
      .default({}),
    gate: z
      .strictObject({
        failOn: z
          .array(z.enum(failOnNames))
          .min(1)
          .optional()
          .describe('What fails the gate; --fail-on says it for one run.'),
        confirm: z
          .boolean()
          .optional()
          .describe('Suspects are run again before anything goes red; --no-confirm says no for one run.'),
        meanDrop: z
          .number()
          .min(0)
          .max(4)
          .optional()
          .describe('Points that the mean judged score may fall by.'),
        caseDrop: z
          .number()
          .min(0)
          .max(4)
          .optional()
          .describe('Points that the median score of one case may fall by.'),
        axisDrop: share.optional().describe('Share of an axis that it may fall by.'),
        inputTokens: warnAndFail.optional(),
        cacheHitRate: warnAndFail.optional(),
        minCoverage: share.optional().describe('Share of trials that must have been run and graded.'),
      })
      .default({}),
    quarantine: z
      .strictObject({
        flips: positive.optional(),
        withinDays: positive.optional(),
        maxDays: positive.optional(),
        maxShare: share.optional(),
      })
      .default({}),
    prices: z
      .record(
        z.string().min(1),
        z.strictObject({
          input: dollars.describe('US dollars a million input tokens.'),
          output: dollars.describe('US dollars a million output tokens.'),
          cacheRead: dollars.optional().describe('Of those read from a cache; as input when left out.'),
          cacheWrite: dollars.optional().describe('Of those written to a cache; as input when left out.'),
          asOf: z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'expected a date, as in "2026-11-30"' })
            .describe('When that was the price: it stands on every figure.'),
        }),
      )
      .default({})
      .describe('Prices by provider:model, in the place of those that come with evalrun.'),
    guard: z
      .strictObject({
        prompts: z.array(z.string().min(1)).optional(),
        secondReviewer: z.boolean().optional(),
      })
      .default({}),
  })
  .describe('.evalrc.json of evalrun');

export type WrittenConfig = z.output<typeof configSchema>;
