// A candidate that is only judged and evaluated: neither what would be sent nor what a script would see is loaded.

import type { Candidate } from '../../match/judge-candidate.ts';
import { keyAndSelfView } from '../../query/view.ts';

export function withoutBody(candidate: Candidate): Candidate {
  const view = keyAndSelfView(candidate.type);
  return { ...candidate, subscription: { ...candidate.subscription, view, preparation: undefined } };
}
