import type { CriterionChange } from '../../compare/types.js';
import { neededScore } from '../../grade/labels/rubric-hash.js';
import { whyNotReproduced } from '../guide.js';
import type { AppModel } from '../model.js';
import { bisectFacts } from '../screens/bisect/facts.js';
import { noBisect } from '../screens/bisect/opening.js';
import { selectedChange } from '../screens/compare/view.js';
import { historyFacts } from '../screens/history/facts.js';
import { homeFacts } from '../screens/home/facts.js';
import { sidesGeometry } from '../screens/sides/contents.js';
import { triageFacts } from '../screens/triage/facts.js';
import type { CheckItem } from '../screens/trial/checks.js';
import { isReplySeen, matchesOf } from '../screens/trial/contents.js';
import { topScreen } from '../state.js';
import type { CompareFacts, KeyFacts, TrialFacts } from './reasons.js';

/** What the key table asks of the state, gathered once a key or a frame. */
export function keyFacts(model: AppModel): KeyFacts {
  const { store, state, order, grid, contents, trial } = model;
  const { controls } = store.run;
  return {
    isLive: controls !== undefined,
    isRegrade: store.tally?.started.regradeOf !== undefined,
    runState: store.tally?.state,
    isPaused: controls?.isPaused ?? false,
    isStopping: state.isStopping,
    hasBack: model.back !== undefined || (model.home !== undefined && state.over.length > 1),
    runs: model.stores.length,
    isWide: sidesGeometry(state.size).isWide,
    rows: order.count,
    isFiltered: grid.filter !== '',
    trials: contents?.row.groups.reduce((sum, { cells }) => sum + cells.length, 0) ?? 0,
    hasTranscript: (contents?.transcript.lines.length ?? 0) > 0,
    matches: trial && trial.search !== '' ? matchesOf(contents).length : undefined,
    evidence: contents?.transcript.evidence.length ?? 0,
    folded: contents?.transcript.folded ?? 0,
    isUnfolded: trial?.isUnfolded ?? false,
    isRaw: trial?.isRaw ?? false,
    trial: trialFacts(model),
    compare: compareFacts(model),
    review: reviewFacts(model),
    history: historyFacts(model),
    home: homeFacts(model),
    noBisect: noBisect(model),
    noQuarantine: model.triagedSuite ? undefined : 'nothing can be quarantined over these screens',
    noTakeBack: model.triageDesk?.lastChange === undefined ? 'nothing was quarantined here' : undefined,
    bisect: bisectFacts(model),
    triage: triageFacts(model),
  };
}

function trialFacts({ trial, contents, trialDesk }: AppModel): KeyFacts['trial'] {
  if (!trial || !contents) return undefined;
  const item = contents.checks[contents.selected];
  return {
    hasDesk: trialDesk?.desk !== undefined,
    whyNoReviewer: trialDesk?.desk?.whyNoReviewer,
    isReading: trialDesk?.reading !== undefined,
    isOver: contents.cell.state !== 'running' && contents.cell.state !== 'waiting',
    judged: judgedBy(item),
    isReplySeen: isReplySeen(trial, contents),
    hasSaid: item !== undefined && trialDesk?.givenOn(trial.trial, item.id) !== undefined,
  };
}

function judgedBy(item: CheckItem | undefined): TrialFacts['judged'] {
  if ((item?.result ?? item?.planned)?.kind !== 'judged') return 'no';
  if (item?.planned !== undefined && item.planned.type === 'custom') return 'own code';
  return item?.result?.judge === undefined || item.result.verdict === 'unknown' ? 'no verdict' : 'yes';
}

function compareFacts(model: AppModel): CompareFacts {
  const { store, state, sides } = model;
  const { name } = topScreen(state);
  const isOnChanges = name === 'compare' || name === 'sides';
  const change = isOnChanges ? selectedChange(model) : undefined;
  const noChange = change || (name === 'sides' && sides?.check !== undefined) ? undefined : 'nothing changed';
  // What is kept beside the run is not opened before somebody looks at changes.
  const desk = isOnChanges ? model.changeDesk : undefined;
  return {
    noComparison: store.comparison ? undefined : noComparison(model),
    noChange,
    noSides: name === 'trial' ? noBase(model) : (noChange ?? noSides(change)),
    noClass: sides?.isFlake
      ? 'nothing changed here: x on the triage quarantines it'
      : (noChange ?? desk?.whyNoClass),
    noBless:
      noChange ?? (change && !change.to ? 'it is gone: there is nothing to expect of it' : desk?.whyNoBless),
    notReproduced: whyNotReproduced(model),
  };
}

function noComparison({ store }: Pick<AppModel, 'store'>): string {
  if (!store.tally) return 'the run is still being read';
  return store.run.compare && store.tally.started.base
    ? 'nothing can be compared yet'
    : 'the run has no base';
}

function noBase({ store }: AppModel): string | undefined {
  return store.comparison || store.tally?.started.base?.kind === 'condition'
    ? undefined
    : noComparison({ store });
}

/** What stands on one side only has nothing to be put beside. */
function noSides(change: CriterionChange | undefined): string | undefined {
  if (change?.direction === 'gone') return 'it is gone: the candidate has no such criterion';
  return change && !change.from ? 'it is new: the base has no such criterion' : undefined;
}

function reviewFacts({ review, desk }: AppModel): KeyFacts['review'] {
  if (!review || !desk) return undefined;
  const one = desk.cases[review.at];
  return {
    isAtEnd: one === undefined,
    isFirst: review.at === 0,
    isScored: one !== undefined && neededScore(one.check) !== undefined,
    isAnswered: review.answers.has(review.at),
    hasAnswers: review.answers.size > 0,
  };
}
