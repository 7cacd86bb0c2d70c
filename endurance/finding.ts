// A problem found by a run. One is enough for the run to fail.

export interface Finding {
  kind:
    | 'lost change'
    | 'half a change'
    | 'change made twice'
    | 'refused change made'
    | 'broken history'
    | 'wrong answer'
    | 'token refused'
    | 'key not used'
    | 'other meaning than in Java'
    | 'expression taken badly'
    | 'notification missing'
    | 'notification twice'
    | 'notification too many'
    | 'worker idle'
    | 'wrong body'
    | 'notification left'
    | 'delivered to nobody'
    | 'failed without cause'
    | 'sent again without cause'
    | 'sent after the end'
    | 'wrong order'
    | 'wrong attempts'
    | 'wrong alert'
    | 'events left'
    | 'nothing shown'
    | 'too late'
    | 'too much memory'
    | 'too many log lines'
    | 'too many threads'
    | 'harmed by another'
    | 'hostile one let through'
    | 'service ended'
    | 'process left';
  text: string;
}
