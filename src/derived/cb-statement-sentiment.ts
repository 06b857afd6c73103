import type { DerivedIndicator } from './derived.ts';
import { computeDocumentSentiments } from './document-sentiments.ts';

export const cbStatementSentiment: DerivedIndicator = {
  slug: 'cb_statement_sentiment',
  datasetNo: 1030,
  family: 'policy_text',
  derivedFrom: [],
  method: 'phrase_balance_v1',
  compute: computeDocumentSentiments,
};
