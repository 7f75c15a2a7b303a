import copy, numpy as np, torch
from dataclasses import replace
def test_x(learner, by_hand, examples, contrary):
    ps=list(learner.network.parameters())
    def flat(e): return torch.cat([torch.zeros(p.numel()) if g is None else g.flatten() for g,p in zip(by_hand.gradient(learner.network,e),ps)]).double()
    for i in range(0,21,3):
        g=flat([replace(e,parts=()) for e in examples[i:i+3]]); r=flat(contrary[i:i+3]); r1=flat([replace(e,parts=e.parts[:1]) for e in contrary[i:i+3]])
        print(i, float(g@r/g.norm()/r.norm()), float(g@r1/g.norm()/r1.norm()))
