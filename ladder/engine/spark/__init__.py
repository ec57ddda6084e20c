"""The engine on Spark, for programs whose state does not fit one machine: the same plans, lowered to SQL, one job per
iteration.

session      a Spark session with the settings for evaluation
internals    what needs Spark's own classes: runs with a known partitioning, figures of jobs
facts        fact files and rows → relations of cells
dictionary   what the ids of symbols and objects stand for
layout       which replicas of relations there are, and their rows in the wide table of a component
batch        the rows that a step of a plan produces, as SQL
expressions  literals that compute → SQL                       lower        plans → SQL
materialised a relation as a few runs, merged in time          fixpoint     the loop over iterations
aggregation  totals of aggregated relations                    engine       components in order → state
export       state → tables that the local engine opens        checkpoints  runs on disk, to resume from
"""
