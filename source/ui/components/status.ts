import { makeVisible } from '../../base/text.js';
import type { KeyFacts } from '../keys/reasons.js';
import type { AppModel } from '../model.js';
import { fitLine, lineWidth, type Segment, segment } from '../segments.js';
import { topScreen } from '../state.js';
import { keyHints } from './footer.js';
import { questionLine } from './question-line.js';
import { typedLine } from './typed-line.js';

/**
 * What is being typed or asked, else what the app has to say, else the keys. In exactly `width` cells. `said`: what is left
 * to be said, where the screen has room for the rest of it.
 */
export function statusLine(
  model: AppModel,
  facts: KeyFacts,
  width: number,
  said = model.state.message?.text,
): Segment[] {
  const { field, message } = model.state;
  if (field) {
    const line = 'text' in field ? typedLine(model, field, width) : questionLine(model, field, width);
    return fitLine(line, width);
  }
  if (message) return fitLine([segment(makeVisible(said ?? ''), message.tone)], width);
  const hints = keyHints(topScreen(model.state).name, facts, model.theme.isAscii, width, (binding) => {
    if (binding.action === 'pause' && facts.isPaused) return 'go on';
    if (binding.action === 'run-step' && model.bisectDesk?.status().kind === 'planned') return 'begin';
    if (binding.action === 'all-checks' && model.triage?.isAll) return 'fewer';
    if (model.sides?.isFlake && binding.action === 'next-new-trial') return 'right trial';
    if (model.sides?.isFlake && binding.action === 'next-old-trial') return 'left trial';
    if (binding.action === 'leave-triage' && model.triageSuites.length === 0) return 'back';
    if (binding.action === 'one-condition' && facts.history?.isLimited) return 'all runs';
    const isLeaving = binding.action === 'quit' || binding.action === 'leave-history';
    return isLeaving && facts.hasBack ? 'back' : binding.hint?.words;
  });
  return fitLine([segment(' '.repeat(Math.max(0, width - lineWidth(hints)))), ...hints], width);
}
