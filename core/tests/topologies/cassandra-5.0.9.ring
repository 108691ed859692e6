
Datacenter: datacenter1
==========
Address          Rack        Status State   Load            Owns                Token                                       
                                                                                7761362059446910215                         
127.0.0.1        rack1       Up     Normal  115.12 KiB      ?                   -8530811070355857542                        
127.0.0.2        rack1       Up     Normal  35.98 KiB       ?                   -7491490884008953701                        
127.0.0.2        rack1       Up     Normal  35.98 KiB       ?                   -6298499249041289783                        
127.0.0.1        rack1       Up     Normal  115.12 KiB      ?                   -5505392611189769669                        
127.0.0.3        rack1       Up     Normal  35.98 KiB       ?                   -5483450436132241649                        
127.0.0.3        rack1       Up     Normal  35.98 KiB       ?                   -4213854012461943819                        
127.0.0.2        rack1       Up     Normal  35.98 KiB       ?                   1961164344155017015                         
127.0.0.1        rack1       Up     Normal  115.12 KiB      ?                   4381035943803653543                         
127.0.0.1        rack1       Up     Normal  115.12 KiB      ?                   4975310432430706115                         
127.0.0.2        rack1       Up     Normal  35.98 KiB       ?                   5593818330536860901                         
127.0.0.3        rack1       Up     Normal  35.98 KiB       ?                   6916481770379251826                         
127.0.0.3        rack1       Up     Normal  35.98 KiB       ?                   7761362059446910215                         

  Warning: "nodetool ring" is used to output all the tokens of a node.
  To view status related info of a node use "nodetool status" instead.


  Note: Non-system keyspaces don't have the same replication settings, effective ownership information is meaningless
